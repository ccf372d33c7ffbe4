"""The thirty languages of the printed booklet, in its order."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    code: str
    """As in `Accept-Language` and in the codes of booklets: `zh-TW`."""
    name: str
    """The name in the language itself, so that its readers can find it."""
    is_rtl: bool = False
    has_spaces: bool = True
    """Whether a space separates two sentences."""

    @property
    def locale(self) -> str:
        """As in the folders of gettext: `zh_TW`."""
        return self.code.replace("-", "_")


ENGLISH = "en"
BOOKLET_LANGUAGE = "booklet"
"""A value of the language setting: use the language of the booklet in play."""
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
        Language("zh-TW", "繁體中文", has_spaces=False),
        Language("ja", "日本語", has_spaces=False),
        Language("zh-CN", "简体中文", has_spaces=False),
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
    """The language of a booklet. Codes of other editions begin with it: `ru-2012`."""
    return code if code in LANGUAGES else code.partition("-")[0]
