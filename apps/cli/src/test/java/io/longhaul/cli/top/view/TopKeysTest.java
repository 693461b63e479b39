// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.Key.Kind;
import io.longhaul.cli.top.view.TopKeys.Act;
import io.longhaul.cli.top.view.TopKeys.Pressed;
import io.longhaul.cli.top.view.TopState.Prompt;
import io.longhaul.cli.top.view.TopState.View;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What keys do. */
class TopKeysTest {
    private static final TopState LIST = Made.state(
            Made.asking("asking", "deploy", 30),
            Made.working("working", "report", 20, 10, ""),
            Made.completed("good", "report", 100, 60),
            Made.failing("bad", "lint", 200, 1));

    private static Pressed press(TopState state, Object... keys) {
        var pressed = new Pressed(state, new Act.Nothing());
        for (var key : keys) {
            pressed = TopKeys.press(
                    pressed.state(), key instanceof Kind kind ? Made.key(kind) : Made.key(key.toString()));
        }
        return pressed;
    }

    private static List<String> listed(TopState state) {
        return state.board().listed().stream().map(task -> task.task().id()).toList();
    }

    private static String selected(TopState state) {
        return state.board().task().orElseThrow().task().id();
    }

    @Test
    void arrows_select_within_the_list() {
        assertThat(selected(LIST)).isEqualTo("asking");
        assertThat(selected(press(LIST, Kind.UP).state())).isEqualTo("asking");
        assertThat(selected(press(LIST, Kind.DOWN, "j", "k").state())).isEqualTo("working");
        assertThat(selected(press(LIST, Kind.END).state())).isEqualTo("bad");
        assertThat(selected(press(LIST, Kind.PAGE_DOWN).state())).isEqualTo("bad");
        assertThat(selected(press(LIST, Kind.PAGE_DOWN, Kind.PAGE_UP).state())).isEqualTo("asking");
        assertThat(selected(press(LIST, Kind.END, Kind.HOME).state())).isEqualTo("asking");
    }

    @Test
    void a_selected_task_stays_selected_when_the_list_changes() {
        var selected = press(LIST, Kind.DOWN).state();
        var newer = Made.state(Made.asking("asking", "deploy", 31), Made.completed("working", "report", 21, 20))
                .board()
                .snapshot();
        assertThat(selected(selected.with(selected.board().with(newer)))).isEqualTo("working");
    }

    @Test
    void the_list_is_sorted_by_state_by_age_and_by_tool() {
        assertThat(listed(LIST)).containsExactly("asking", "working", "good", "bad");
        assertThat(listed(press(LIST, "o").state())).containsExactly("working", "asking", "good", "bad");
        assertThat(listed(press(LIST, "o", "o").state())).containsExactly("bad", "good", "asking", "working");
        assertThat(listed(press(LIST, "o", "o", "o").state())).containsExactly("asking", "bad", "working", "good");
        assertThat(listed(press(LIST, "o", "o", "o", "o").state())).isEqualTo(listed(LIST));
    }

    @ParameterizedTest
    @CsvSource({
        "report, working good",
        "REPORT state:completed, good",
        "state:live, asking working",
        "state:ended, good bad",
        "tool:lint, bad",
        "owner:ada tool:dep, asking",
        "owner:bob, ''",
        "tool failed, bad",
        "'  ', asking working good bad",
        "no:field, ''"
    })
    void tasks_are_found_by_words(String words, String ids) {
        var keys = Stream.concat(Stream.of("/"), words.codePoints().mapToObj(Character::toString));
        assertThat(String.join(" ", listed(press(LIST, keys.toArray()).state())))
                .isEqualTo(ids);
    }

    @Test
    void a_search_is_taken_by_enter_and_given_up_by_escape() {
        var typed = press(LIST, "/", "l", "i", "x", Kind.ERASE);
        assertThat(typed.state().board().filter().text()).isEqualTo("li");
        var taken = press(typed.state(), Kind.ENTER).state();
        assertThat(listed(taken)).containsExactly("bad");
        assertThat(taken.prompt()).isEqualTo(new Prompt.Nothing());
        assertThat(listed(press(typed.state(), Kind.ESCAPE).state())).isEqualTo(listed(LIST));
        assertThat(listed(press(taken, Kind.ESCAPE).state())).isEqualTo(listed(LIST));
        assertThat(listed(press(taken, "/", "x", Kind.ESCAPE).state())).containsExactly("bad");
    }

    @Test
    void enter_opens_a_task_and_escape_goes_back() {
        var open = press(LIST, Kind.DOWN, Kind.ENTER);
        assertThat(open.act()).isEqualTo(new Act.Open(LIST.board().listed().get(1)));
        assertThat(open.state().view()).isInstanceOf(View.Whole.class);
        for (Object back : List.of(Kind.ESCAPE, Kind.ENTER, "q")) {
            var list = press(open.state(), back);
            assertThat(list.act()).isEqualTo(new Act.Close());
            assertThat(list.state().view()).isEqualTo(new View.Tasks());
            assertThat(selected(list.state())).isEqualTo("working");
        }
        assertThat(press(open.state(), "/").act()).isEqualTo(new Act.Close());
    }

    @Test
    void what_cannot_be_taken_back_is_asked_first() {
        var asked = press(LIST, "c");
        assertThat(asked.act()).isEqualTo(new Act.Nothing());
        assertThat(asked.state().prompt()).asString().contains("Cancel deploy asking? (y/n)");
        assertThat(press(asked.state(), "y").act()).isEqualTo(new Act.Cancel("asking"));
        for (Object no : List.of("n", "x", Kind.ENTER, Kind.ESCAPE)) {
            var left = press(asked.state(), no);
            assertThat(left.act()).isEqualTo(new Act.Nothing());
            assertThat(left.state().note()).isEqualTo("nothing is done");
        }
        assertThat(press(LIST, Kind.END, "r", "Y").act()).isEqualTo(new Act.Retry("bad"));
        assertThat(press(LIST, Kind.END, "p", "y").act()).isEqualTo(new Act.Purge(List.of("bad")));
        assertThat(press(LIST, "P").state().prompt()).asString().contains("the 2 listed tasks that have ended");
        assertThat(press(LIST, "P", "y").act()).isEqualTo(new Act.Purge(List.of("good", "bad")));
    }

    @Test
    void the_same_letters_act_on_an_open_task() {
        assertThat(press(LIST, Kind.ENTER, "a").act()).isEqualTo(new Act.Answer("asking"));
        assertThat(press(LIST, Kind.ENTER, "c", "y").act()).isEqualTo(new Act.Cancel("asking"));
        assertThat(press(LIST, Kind.END, Kind.ENTER, "p", "y").act()).isEqualTo(new Act.Purge(List.of("bad")));
    }

    @Test
    void what_makes_no_sense_is_told() {
        assertThat(press(LIST, Kind.END, "a").state().note()).isEqualTo("it has ended, and asks nothing");
        assertThat(press(LIST, Kind.END, "c").state().note()).isEqualTo("it has ended already");
        assertThat(press(LIST, "r").state().note()).startsWith("it has not ended");
        assertThat(press(LIST, "p").state().note()).startsWith("only a task that has ended can be purged");
        assertThat(press(LIST, "z").state().note()).isEqualTo("? shows the keys");
        assertThat(press(LIST, "z", Kind.DOWN).state().note()).isEmpty();
        assertThat(press(Made.state(), "c").state().note()).isEqualTo("no task is listed");
        assertThat(press(Made.state(), Kind.ENTER, Kind.DOWN).act()).isEqualTo(new Act.Nothing());
    }

    @Test
    void quitting_is_for_the_list_alone() {
        assertThat(press(LIST, "q").act()).isEqualTo(new Act.Quit());
        assertThat(press(LIST, "?").state().view()).isEqualTo(new View.Help());
        assertThat(press(LIST, "?", "q").state().view()).isEqualTo(new View.Tasks());
        assertThat(press(LIST, "/", "q").act()).isEqualTo(new Act.Nothing());
    }

    @Test
    void news_of_a_task_that_was_left_are_passed_over() {
        var task = LIST.board().listed().getFirst();
        var news = new TaskDetail(task, List.of(Made.event(1, 1, "created", "{}")), 1, null, false);
        assertThat(LIST.opened(news)).isEqualTo(LIST);
        var open = press(LIST, Kind.ENTER).state();
        assertThat(open.opened(news).view()).isEqualTo(new View.Whole(news, 0));
        var other = press(LIST, Kind.DOWN, Kind.ENTER).state();
        assertThat(other.opened(news)).isEqualTo(other);
    }
}
