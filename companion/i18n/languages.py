"""The thirty languages that the box's booklet is printed in, in its order."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    code: str
    """As phones ask for it, and as the booklets are called."""
    name: str
    """As it calls itself: whoever looks for his own language may read no other."""
    is_rtl: bool = False
    has_blanks: bool = True
    """Whether one stands between two sentences."""

    @property
    def locale(self) -> str:
        """As gettext's folders have it."""
        return self.code.replace("-", "_")


ENGLISH = "en"
BOOKLETS_LANGUAGE = "booklet"
"""In a setting, in the place of a language: that of the booklet that is played by."""
LANGUAGES: dict[str, Language] = {
    language.code: language
    for language in (
        Language(ENGLISH, "English"),
        Language("fr", "Français"),
        Language("nl", "Nederlands"),
        Language("es", "Español"),
        Language("it", "Italiano"),
        Language("fi", "Suomi"),
        Language("sv", "Svenska"),
        Language("cs", "Čeština"),
        Language("el", "Ελληνικά"),
        Language("pt", "Português"),
        Language("pl", "Polski"),
        Language("is", "Íslenska"),
        Language("ar", "العربية", is_rtl=True),
        Language("et", "Eesti"),
        Language("lv", "Latviešu"),
        Language("lt", "Lietuvių"),
        Language("ru", "Русский"),
        Language("zh-TW", "繁體中文", has_blanks=False),
        Language("ja", "日本語", has_blanks=False),
        Language("zh-CN", "简体中文", has_blanks=False),
        Language("hu", "Magyar"),
        Language("sl", "Slovenščina"),
        Language("ro", "Română"),
        Language("nb", "Norsk bokmål"),
        Language("sr", "Српски"),
        Language("hr", "Hrvatski"),
        Language("de", "Deutsch"),
        Language("ko", "한국어"),
        Language("th", "ไทย"),
        Language("fa", "فارسی", is_rtl=True),
    )
}


def language_of_booklet(code: str) -> str:
    """Those that are not of the box, like ru-2012, are in the language that they begin with."""
    return code if code in LANGUAGES else code.partition("-")[0]
