// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Form;
import io.longhaul.client.QuestionHandler.Reply;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Answers a server's questions: with the preset answers, else by asking the person at the terminal, if any. */
public final class QuestionAnswers {
    private final UserConsole console;
    private final PresetAnswers preset;
    private final AtomicBoolean left = new AtomicBoolean();
    private final AtomicBoolean leftWithoutFields = new AtomicBoolean();
    private volatile boolean leavesOpen;

    public QuestionAnswers(UserConsole console, PresetAnswers preset) {
        this.console = console;
        this.preset = preset;
    }

    /** Has each question that nothing answers here left open, for others who can attach to the task. */
    public void leaveOpen() {
        leavesOpen = true;
    }

    /**
     * The handler of questions. Only answerable kinds of questions are declared, so that the server can refuse a call
     * at once.
     *
     * @param later whether a person may come back to answer
     */
    public QuestionHandler handler(boolean later) {
        if (console.terminal().facts().asks()) {
            var dialogue = new FormDialogue(console);
            return QuestionHandler.NONE
                    .forms(form -> given(form).orElseGet(() -> dialogue.form(form)))
                    .links(dialogue::link);
        }
        return areRefused() && !later && !leavesOpen
                ? QuestionHandler.NONE
                : QuestionHandler.NONE.forms(this::withoutAsking);
    }

    /** Whether nothing answers a question now: neither a person nor a preset answer. */
    public boolean areRefused() {
        return preset.isEmpty() && !console.terminal().facts().asks();
    }

    /** Whether the server has asked a question that could not be answered. */
    public boolean wereLeft() {
        return left.get();
    }

    /** Whether the server has asked for yes or no, which no field answers, and that could not be answered. */
    public boolean wereLeftWithoutFields() {
        return leftWithoutFields.get();
    }

    /** The preset answer to a form. The question is printed with the answer, because the user has not seen it. */
    private Optional<Reply> given(Form form) {
        var answer = preset.answer(form);
        if (answer.orElse(null) instanceof Reply.Accepted accepted) {
            var content = JsonText.tree(accepted.content());
            console.status()
                    .print(SafeText.line(form.server()) + " asks: " + SafeText.quote(form.message()) + " (answered: "
                            + (content.isEmpty() ? "yes" : SafeText.line(content.toString())) + ")");
        }
        return answer;
    }

    private Reply withoutAsking(Form form) {
        return given(form).orElseGet(() -> {
            left.set(true);
            leftWithoutFields.compareAndSet(
                    false, JsonText.tree(form.schema()).path("properties").isEmpty());
            console.status()
                    .say("the server asks what --answer and --yes do not tell: "
                            + SafeText.quote(form.message())
                            + " (" + SafeText.line(String.join("; ", preset.problems(form)))
                            + ")");
            return leavesOpen || preset.hasSlip(form) ? new Reply.LeftOpen() : new Reply.Dismissed();
        });
    }
}
