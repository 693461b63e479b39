// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.top.TopKeys.Act;

/**
 * All that the window shows. Immutable.
 *
 * @param server as the user named it
 * @param view   what is looked at
 * @param prompt what is asked at the foot of the window
 * @param note   what became of the last thing that was done; empty for nothing
 */
record TopState(String server, Board board, View view, Prompt prompt, String note) {

    /** What is looked at. */
    sealed interface View {
        record Tasks() implements View {}

        /**
         * One task.
         *
         * @param back how many lines the history is scrolled back from its end
         */
        record Whole(Detail detail, int back) implements View {}

        record Help() implements View {}
    }

    /** What is asked at the foot of the window. */
    sealed interface Prompt {
        record Nothing() implements Prompt {}

        /**
         * Which tasks are to be listed.
         *
         * @param before what is listed again where the user leaves
         */
        record Filtering(TaskFilter before) implements Prompt {}

        /**
         * Whether something is to be done that cannot be taken back.
         *
         * @param act what is done when the user agrees
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

    /** With newer news of the task that is looked at; the same where the user looks at something else by now. */
    TopState opened(Detail detail) {
        return view instanceof View.Whole(var shown, int back) && shown.isOf(detail)
                ? with(new View.Whole(detail, back))
                : this;
    }
}
