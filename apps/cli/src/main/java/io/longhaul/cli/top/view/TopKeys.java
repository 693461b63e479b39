// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.terminal.Key;
import io.longhaul.cli.terminal.Key.Kind;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.top.view.TopState.Prompt;
import io.longhaul.cli.top.view.TopState.View;
import io.longhaul.protocol.call.TaskRecord;
import java.util.List;
import java.util.Optional;

/** Decides what a key does: the next state, and an action at the server. Pure. */
public final class TopKeys {
    private static final int PAGE = 10;

    private TopKeys() {}

    /** An action in addition to showing the next state. */
    public sealed interface Act {
        record Nothing() implements Act {}

        record Quit() implements Act {}

        /** Follow the task that the view shows from now on. */
        record Open(TaskRecord task) implements Act {}

        /** Follow no task. */
        record Close() implements Act {}

        record Answer(String id) implements Act {}

        record Cancel(String id) implements Act {}

        record Retry(String id) implements Act {}

        /** Remove tasks with their results. */
        record Purge(List<String> ids) implements Act {}
    }

    /** The result of a key. */
    public record Pressed(TopState state, Act act) {
        private static Pressed shows(TopState state) {
            return new Pressed(state, new Act.Nothing());
        }

        private static Pressed says(TopState state, String note) {
            return shows(state.saying(note));
        }

        private static Pressed asks(TopState state, String question, Act act) {
            return shows(state.with(new Prompt.Confirming(question + " (y/n)", act)));
        }

        /** Returns to the list, where no task is followed. */
        private static Pressed lists(TopState state) {
            return new Pressed(state.with(new View.Tasks()), new Act.Close());
        }
    }

    public static Pressed press(TopState before, Key key) {
        var state = before.saying("");
        return switch (state.prompt()) {
            case Prompt.Filtering filtering -> filter(state, filtering, key);
            case Prompt.Confirming(var question, var act) -> {
                var closed = state.with(new Prompt.Nothing());
                yield key.text().equalsIgnoreCase("y")
                        ? new Pressed(closed, act)
                        : Pressed.says(closed, "nothing is done");
            }
            case Prompt.Nothing none ->
                switch (state.view()) {
                    case View.Help help -> Pressed.lists(state);
                    case View.Whole whole -> ofTask(state, whole, key);
                    case View.Tasks tasks -> ofList(state, key);
                };
        };
    }

    private static Pressed filter(TopState state, Prompt.Filtering filtering, Key key) {
        var text = state.board().filter().text();
        return switch (key.kind()) {
            case ENTER -> Pressed.shows(state.with(new Prompt.Nothing()));
            case ESCAPE -> Pressed.shows(filtered(state, filtering.before()).with(new Prompt.Nothing()));
            case ERASE -> Pressed.shows(filtered(state, new ListFilter(withoutLast(text))));
            case TEXT -> Pressed.shows(filtered(state, new ListFilter(text + key.text())));
            default -> Pressed.shows(state);
        };
    }

    private static String withoutLast(String text) {
        return text.isEmpty() ? text : text.substring(0, text.offsetByCodePoints(text.length(), -1));
    }

    private static TopState filtered(TopState state, ListFilter filter) {
        return state.with(state.board().with(filter));
    }

    private static Pressed ofList(TopState state, Key key) {
        var board = state.board();
        int places = places(key);
        if (places != 0) {
            return Pressed.shows(state.with(board.moved(places)));
        }
        return switch (key.kind()) {
            case ENTER -> board.task().map(task -> open(state, task)).orElse(Pressed.shows(state));
            case ESCAPE -> Pressed.shows(filtered(state, ListFilter.ALL));
            case TEXT ->
                switch (key.text()) {
                    case "q" -> new Pressed(state, new Act.Quit());
                    case "o" ->
                        Pressed.shows(state.with(board.with(board.order().next())));
                    case "P" -> purge(state, board.listed());
                    default -> letter(state, key.text(), board.task());
                };
            default -> Pressed.shows(state);
        };
    }

    /** How far down a key goes, up where this is negative; 0 for a key that goes nowhere. */
    private static int places(Key key) {
        return switch (key.kind()) {
            case UP -> -1;
            case DOWN -> 1;
            case PAGE_UP -> -PAGE;
            case PAGE_DOWN -> PAGE;
            case HOME -> -Integer.MAX_VALUE;
            case END -> Integer.MAX_VALUE;
            case TEXT -> key.text().equals("j") ? 1 : key.text().equals("k") ? -1 : 0;
            case ENTER, ESCAPE, ERASE -> 0;
        };
    }

    private static Pressed open(TopState state, TaskRecord task) {
        return new Pressed(state.with(new View.Whole(TaskDetail.of(task), 0)), new Act.Open(task));
    }

    private static Pressed ofTask(TopState state, View.Whole whole, Key key) {
        int places = places(key);
        if (places != 0) {
            int most = TaskFrame.history(whole.detail()).size();
            int back = Math.clamp((long) whole.back() - places, 0, most);
            return Pressed.shows(state.with(new View.Whole(whole.detail(), back)));
        }
        return key.kind() != Kind.TEXT || key.text().equals("q")
                ? Pressed.lists(state)
                : letter(state, key.text(), Optional.of(whole.detail().task()));
    }

    /** Handles the letters that have the same effect in all views of a task. */
    private static Pressed letter(TopState state, String letter, Optional<TaskRecord> task) {
        return switch (letter) {
            case "?", "h" -> new Pressed(state.with(new View.Help()), new Act.Close());
            case "/" ->
                new Pressed(
                        state.with(new View.Tasks())
                                .with(new Prompt.Filtering(state.board().filter())),
                        new Act.Close());
            case "a", "c", "r", "p" ->
                task.map(one -> act(state, letter, one)).orElse(Pressed.says(state, "no task is listed"));
            default -> Pressed.says(state, "? shows the keys");
        };
    }

    private static Pressed act(TopState state, String letter, TaskRecord task) {
        var id = task.task().id();
        var called = SafeText.line(task.tool()) + " " + SafeText.line(id);
        boolean isEnded = TaskSnapshot.isEnded(task);
        return switch (letter) {
            case "a" ->
                isEnded
                        ? Pressed.says(state, "it has ended, and asks nothing")
                        : new Pressed(state, new Act.Answer(id));
            case "c" ->
                isEnded
                        ? Pressed.says(state, "it has ended already")
                        : Pressed.asks(state, "Cancel " + called + "?", new Act.Cancel(id));
            case "r" ->
                isEnded
                        ? Pressed.asks(state, "Call once more " + called + "?", new Act.Retry(id))
                        : Pressed.says(state, "it has not ended: c cancels it");
            default -> purge(state, List.of(task));
        };
    }

    /** Asks whether to remove the ended ones of these tasks. */
    private static Pressed purge(TopState state, List<TaskRecord> tasks) {
        var ended = tasks.stream()
                .filter(TaskSnapshot::isEnded)
                .map(task -> task.task().id())
                .toList();
        if (ended.isEmpty()) {
            return Pressed.says(state, "only a task that has ended can be purged: c cancels one");
        }
        var which = ended.size() == 1
                ? SafeText.line(ended.getFirst()) + " with its result"
                : "the " + ended.size() + " listed tasks that have ended, with their results";
        return Pressed.asks(state, "Remove " + which + "?", new Act.Purge(ended));
    }
}
