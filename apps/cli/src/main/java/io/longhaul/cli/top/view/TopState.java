// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.top.view.TopKeys.Act;

/**
 * The state of the window. Immutable.
 *
 * @param server the server as the user named it
 * @param view   the present view
 * @param prompt the question at the foot of the window
 * @param note   the result of the last action; empty for none
 */
public record TopState(String server, TaskList board, View view, Prompt prompt, String note) {

    /** The views of the window. */
    sealed interface View {
        record Tasks() implements View {}

        /**
         * One task.
         *
         * @param back the number of lines by which the history is scrolled back from its end
         */
        record Whole(TaskDetail detail, int back) implements View {}

        record Help() implements View {}
    }

    /** The questions at the foot of the window. */
    sealed interface Prompt {
        record Nothing() implements Prompt {}

        /**
         * Asks which tasks to list.
         *
         * @param before the filter to restore where the user leaves
         */
        record Filtering(ListFilter before) implements Prompt {}

        /**
         * Asks whether to do something that cannot be undone.
         *
         * @param act the action when the user agrees
         */
        record Confirming(String question, Act act) implements Prompt {}
    }

    public static TopState of(String server, TaskList board) {
        return new TopState(server, board, new View.Tasks(), new Prompt.Nothing(), "");
    }

    public TopState with(TaskList other) {
        return new TopState(server, other, view, prompt, note);
    }

    public TopState with(View other) {
        return new TopState(server, board, other, prompt, note);
    }

    public TopState with(Prompt other) {
        return new TopState(server, board, view, other, note);
    }

    public TopState saying(String what) {
        return new TopState(server, board, view, prompt, what);
    }

    /** This state with a newer detail of the open task; unchanged where another view is open by now. */
    public TopState opened(TaskDetail detail) {
        return view instanceof View.Whole(var shown, int back) && shown.isOf(detail)
                ? with(new View.Whole(detail, back))
                : this;
    }
}
