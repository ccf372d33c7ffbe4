"""Scenario files: reader, runner and expectations."""
