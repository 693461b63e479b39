// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.top.TopKeys.Act;

/**
 * The state of the window. Immutable.
 *
 * @param server the server as the user named it
 * @param view   the present view
 * @param prompt the question at the foot of the window
 * @param note   the result of the last action; empty for none
 */
record TopState(String server, Board board, View view, Prompt prompt, String note) {

    /** The views of the window. */
    sealed interface View {
        record Tasks() implements View {}

        /**
         * One task.
         *
         * @param back the number of lines by which the history is scrolled back from its end
         */
        record Whole(Detail detail, int back) implements View {}

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
        record Filtering(TaskFilter before) implements Prompt {}

        /**
         * Asks whether to do something that cannot be undone.
         *
         * @param act the action when the user agrees
         */
        record Confirming(String question, Act act) implements Prompt {}
    }

    static TopState of(String server, Board board) {
        return new TopState(server, board, new View.Tasks(), new Prompt.Nothing(), "");
    }

    TopState with(Board other) {
        return new TopState(server, other, view, prompt, note);
    }

    TopState with(View other) {
        return new TopState(server, board, other, prompt, note);
    }

    TopState with(Prompt other) {
        return new TopState(server, board, view, other, note);
    }

    TopState saying(String what) {
        return new TopState(server, board, view, prompt, what);
    }

    /** This state with a newer detail of the open task; unchanged where another view is open by now. */
    TopState opened(Detail detail) {
        return view instanceof View.Whole(var shown, int back) && shown.isOf(detail)
                ? with(new View.Whole(detail, back))
                : this;
    }
}
