"""Benchmarks. Each measures against a comparable baseline in the same run."""
