"""Sphinx reads this where the site is built; scripts/exporting/site.py lays the pages beside it."""

from pathlib import Path

project = "How transformers attend"
author = ""
copyright = ""
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
napoleon_numpy_docstring = False
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # NumPy's aliases are long once resolved; the shapes stand in the text
autodoc_preserve_defaults = True
add_module_names = False
exclude_patterns = ["_static", "_templates"]
nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_merge_streams = True
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_update_mathjax = False
mathjax_path = "mathjax.js"
mathjax_config_path = "_static/mathjax-config.js"
suppress_warnings = [
    "myst.xref_missing"
]  # a link to a file that is no page of the site becomes plain words
language = "en"

html_theme = "pydata_sphinx_theme"
html_title = project
html_favicon = "_static/icon.svg"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["site.css"]
html_js_files = ["outcomes.js", "run_here.js"]
html_copy_source = False
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_show_search_summary = False  # it fetches each page, which a browser forbids to files
html_show_sourcelink = False
html_show_sphinx = False
html_sidebars = {"**": ["course-nav"]}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],  # named as it reads; the field says more than its name
    "secondary_sidebar_items": [],  # no table of contents on the right: the article needs the width
    "header_links_before_dropdown": 0,
    "navbar_center": [],
    "footer_start": [],
    "footer_end": [],
    "back_to_top_button": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
