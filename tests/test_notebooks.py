"""Every notebook is built as the course promises: stored as it ran, short cells, exercises,
pictures in words."""

import html
import re
import statistics

import lecture
import nbformat
import pytest
from helpers import NOTEBOOKS, cells, is_figure, notebook, shown

from course_utils.diagnosis.exercise import Reading
from course_utils.exercises import EXERCISES as REGISTERED

# What must be there: the exercises of each notebook, and its widget.
EXERCISES = {
    "00_start_here": ["row_sums", "which_sum_00"],
    "01_self_attention": [
        "softmax",
        "self_attention",
        "whose_weights_01",
        "catch_softmax",
        "note_01",
    ],
    "02_queries_keys_values": [
        "project",
        "attention",
        "note_02",
        "cross_attention",
        "catch_attention",
    ],
    "03_scaling": ["scaled_attention", "catch_scale", "softmax_with_temperature", "note_03"],
    "04_masking": ["causal_mask", "note_04", "masked_attention", "catch_leak", "whose_mask_04"],
    "05_multi_head_attention": [
        "which_reshape_05",
        "multi_head_attention",
        "split_heads",
        "merge_heads",
        "catch_split_heads",
        "note_05",
    ],
    "06_layer_norm": ["layer_norm", "which_norm_06", "rms_norm", "catch_layer_norm", "note_06"],
    "07_transformer_block": ["feed_forward", "which_unit_07", "transformer_block", "note_07"],
    "08_positional_encoding": [
        "which_position_08",
        "rotate",
        "sinusoidal_positional_encoding",
        "note_08",
        "catch_rotate",
    ],
    "09_mixture_of_experts": [
        "responsibilities",
        "mixture_of_experts",
        "top_k_gate",
        "which_load_09",
        "expert_layer",
        "note_09",
    ],
    "10_how_it_learns": [
        "matrix_slopes",
        "note_10",
        "train_step",
        "feed_forward_slopes",
        "softmax_slopes",
        "without_dividing",
    ],
    "11_language_model": [
        "forward",
        "which_run_11",
        "which_head_11",
        "beam_step",
        "kv_cache_step",
        "note_11",
    ],
    "12_a_real_transformer": [
        "nearest_words",
        "which_pair_12",
        "note_12",
        "mean_pooling",
        "catch_mean_pooling",
    ],
    "13_tokens": ["merge_pair", "encode_word", "note_13"],
    "14_todays_models": [
        "grouped_query_attention",
        "note_14",
        "dequantise_block",
        "top_p",
        "catch_top_p",
        "swiglu",
    ],
    "15_speak": ["which_text_15", "reply"],
    "16_inside": ["logit_lens", "which_head_16", "note_16"],
    "17_assistant": ["preference_loss", "advantages", "catch_proxy", "note_17"],
}
WIDGETS = {
    "00_start_here": "ScoreSlider",
    "01_self_attention": "TokenMover",
    "02_queries_keys_values": "QueryExplorer",
    "03_scaling": "SoftmaxSharpening",
    "04_masking": "MaskExplorer",
    "05_multi_head_attention": "HeadExplorer",
    "06_layer_norm": "NormExplorer",
    "08_positional_encoding": "SinusoidFrequencies",
    "09_mixture_of_experts": "GateExplorer",
    "11_language_model": "DecodingTree",
    "12_a_real_transformer": "LayerWalk",
    "16_inside": "HeadBoard",
    "17_assistant": "RewardLeash",
}
APPENDIX = [
    name for name in NOTEBOOKS if name.startswith("A_")
]  # to look things up in: no exercise, no quiz, no widget
MAIN = [name for name in NOTEBOOKS if name not in APPENDIX]
LECTURES = [name for name in MAIN if name != "00_start_here"]

every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)
every_appendix = pytest.mark.parametrize("name", APPENDIX)
every_main = pytest.mark.parametrize("name", MAIN)
every_lecture = pytest.mark.parametrize("name", LECTURES)


def prose(name):
    return "\n\n".join(cell.source for cell in cells(name, "markdown"))


def tags(cell):
    return cell.metadata.get("tags", [])


def with_code(name, pattern):
    """The code cells whose source matches."""
    return [cell for cell in cells(name, "code") if re.search(pattern, cell.source)]


def headings(name):
    """(level, text) of each heading in order."""
    return [
        (len(marks), text)
        for marks, text in re.findall(r"^(#+) (.+)$", prose(name), flags=re.MULTILINE)
    ]


def links(name):
    """Names of the notebooks that a notebook links to."""
    return set(re.findall(r"\]\((\w+)\.ipynb\)", prose(name)))


def test_the_notebooks_of_the_course_are_there():
    assert set(EXERCISES) <= set(NOTEBOOKS)


# How it is stored


@every_notebook
def test_the_format_is_4_5_and_valid(name):
    assert (notebook(name).nbformat, notebook(name).nbformat_minor) == (4, 5)
    nbformat.validate(notebook(name))
    assert set(notebook(name).metadata) == {"kernelspec", "language_info"}


@every_notebook
def test_every_code_cell_was_run_in_order_without_errors(name):
    code = cells(name, "code")
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert {output.output_type for output in outputs} <= {
        "stream",
        "display_data",
        "execute_result",
    }
    assert {output.name for output in outputs if output.output_type == "stream"} <= {"stdout"}


@every_notebook
def test_outputs_are_the_same_on_every_machine(name):
    for cell in cells(name, "code"):
        assert not re.search(
            r"/(?:home|Users|tmp|root|usr|opt|work|var)/\w|[A-Z]:\\|0x[0-9a-f]{6}|np\.\w+\(",
            shown(cell),
        ), cell.source


@every_notebook
def test_no_cell_is_left_out_of_the_comparison(name):
    for cell in cells(name, "code"):
        for line in re.findall(r".*NBVAL_.*", cell.source):
            assert re.search(r"NBVAL_\w+\W+\w+ \w+", line), f"{line}: why?"


# How it opens and where it leads


@every_main
def test_a_notebook_opens_with_its_question_and_what_it_takes(name):
    first = notebook(name).cells[0]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert re.search(r"^\*\*.*\?\*\*$", first.source, flags=re.MULTILINE)
    assert "**You will** " in first.source
    assert "**You need** " in first.source
    assert re.search(r"\*\*Core:\*\* \d+ minutes$", first.source, flags=re.MULTILINE)


@every_notebook
def test_headings_go_down_one_level_at_a_time(name):
    levels = [level for level, _ in headings(name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in zip(levels, levels[1:], strict=False))


@every_main
def test_links_lead_to_the_notebooks_before_and_after(name):
    i = MAIN.index(name)
    neighbours = MAIN[max(i - 1, 0) : i] + MAIN[i + 1 : i + 2]
    assert set(neighbours) <= links(name)
    named = re.findall(r"(?:Previous|Next): \[([^]]+)\]\((\w+)\.ipynb\)", prose(name))
    assert set(named) == {(headings(other)[0][1], other) for other in neighbours}
    if i + 1 < len(MAIN):
        assert links(name) <= set(NOTEBOOKS)


@every_main
def test_a_notebook_closes_with_one_quiz_of_its_own_and_a_recap(name):
    assert [cell.source for cell in with_code(name, r"\bquiz\(")] == [f'quiz("{name}")']
    last = [heading for level, heading in headings(name) if level == 2][-3:]
    assert last == ["Quiz", "Recap", "Deeper"]


# How long it is


@every_main
def test_a_notebook_fits_a_lesson(name):
    lesson = re.sub(
        r"<[^>]+>|\$[^$]*\$|```.*?```|\*\*Further reading.*?\n|(?:Previous|Next): .*?\n",
        "",
        prose(name),
        flags=re.DOTALL,
    )
    # no formulas, code, sources, links
    words = len(re.findall(r"\w+", lesson))
    assert len(notebook(name).cells) <= lecture.most_cells(name)
    if name == "00_start_here":
        assert 400 <= words <= 1600
    else:
        assert len(notebook(name).cells) >= 30
        assert 700 <= words <= 2000  # the core has its own limit, in minutes


@every_main
def test_a_code_cell_is_a_thought(name):
    lengths = [len(cell.source.splitlines()) for cell in cells(name, "code")]
    assert statistics.median(lengths) <= 5
    assert max(lengths) <= 14
    assert (
        max(len(line) for cell in cells(name, "code") for line in cell.source.splitlines()) <= 150
    )


# What is in it


@pytest.mark.parametrize(
    ("name", "exercise"),
    [(name, exercise) for name in EXERCISES if name in NOTEBOOKS for exercise in EXERCISES[name]],
)
def test_an_exercise_is_open_and_says_its_shape_its_minutes_and_how_hard_it_is(name, exercise):
    (stub,) = with_code(name, rf'diagnose\("{exercise}"')
    assert re.search("Not attempted yet|Write one letter", shown(stub))
    known = REGISTERED[exercise]
    dots = "●" * known.difficulty + "○" * (3 - known.difficulty)
    title = rf"Exercise \d+: `{exercise}` \({known.minutes} minutes(, {dots})?\)"
    assert [text for _, text in headings(name) if re.fullmatch(title, text)]


@every_main
def test_no_answer_stands_in_a_notebook(name):
    assert {tag for cell in cells(name, "code") for tag in tags(cell)} <= {
        "answer"
    }  # it answers the title's question
    assert not re.search(
        r"_solution\b|^# Solution",
        "\n".join(cell.source for cell in notebook(name).cells),
        flags=re.MULTILINE,
    )
    assert "Right." not in "\n".join(map(shown, cells(name, "code")))


@every_lecture
def test_every_lecture_has_a_reading(name):
    assert any(isinstance(REGISTERED[exercise], Reading) for exercise in EXERCISES[name])


@pytest.mark.parametrize("name", [name for name in WIDGETS if name in NOTEBOOKS])
def test_the_widget_is_shown(name):
    widget = WIDGETS[name]
    code = cells(name, "code")
    alive = [i for i, cell in enumerate(code) if re.search(rf"\b{widget}\(", cell.source)]
    assert len(alive) == 1
    assert re.search(rf"{widget}: ", shown(code[alive[0]]))


@every_notebook
def test_every_picture_is_put_in_words_with_numbers(name):
    pictures = [
        output for cell in cells(name, "code") for output in cell.outputs if is_figure(output)
    ]
    for picture in pictures:
        words = picture.data["text/plain"]
        assert len(words) > 40
        assert re.search(r"\d", words)
        page = picture.data["text/html"]
        for said in (
            r'<svg role="img" aria-label="([^"]*)"',
            r'<img alt="([^"]*)"',
            r"</summary>(.*?)</details>",
        ):
            assert html.unescape(re.search(said, page)[1]) == words
    assert pictures or name == "00_start_here" or name in APPENDIX


# The appendix


@every_appendix
def test_an_appendix_opens_with_its_question_and_leads_to_every_notebook(name):
    assert re.search(r"^\*\*.*\?\*\*$", notebook(name).cells[0].source, flags=re.MULTILINE)
    assert set(MAIN) - {"00_start_here"} <= links(name) <= set(MAIN)


@every_appendix
def test_an_appendix_asks_nothing_of_the_reader(name):
    assert not with_code(name, r"\b(?:diagnose|quiz|predict)\(")


@every_appendix
def test_a_measurement_in_an_appendix_fits_a_screen(name):
    for cell in cells(name, "code"):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= 12, cell.source
        assert max(map(len, lines)) <= 88, cell.source
