// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.LineInput;
import io.longhaul.cli.terminal.StatusLine;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.client.QuestionHandler.Form;
import io.longhaul.client.QuestionHandler.Link;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.json.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormDialogueTest {
    private static final Form FORM = new Form("reports", "Publish\u001b[2J it?", Json.raw("""
            {"type":"object","required":["publish","copies"],"properties":{
              "publish":{"type":"boolean","description":"For everybody to see"},
              "copies":{"type":"integer","minimum":1},
              "size":{"type":"string","enum":["a4","a5"],"enumNames":["A4","A5"],"default":"a5"},
              "note":{"type":"string"}}}""".replace("\n", "")));

    private final TestTerminal user = TestTerminal.interactive();
    private final FormDialogue dialogue =
            new FormDialogue(UserConsole.with(user.terminal(), new StatusLine(user.terminal(), () -> Instant.EPOCH)));

    @Test
    void each_field_is_asked_for_until_it_fits() {
        user.type("maybe").type("y").type("").type("0").type("2").type("1").type("");
        assertThat(dialogue.form(FORM))
                .isEqualTo(new Reply.Accepted(Json.raw("{\"publish\":true,\"copies\":2,\"size\":\"a4\"}")));
        assertThat(user.err())
                .contains("reports asks: Publish\\u001b[2J it?")
                .contains("For everybody to see")
                .contains("publish (yes/no):")
                .contains("publish must be true or false, not \"maybe\".")
                .contains("copies needs a value.")
                .contains("copies must be at least 1.")
                .contains("1) A4")
                .contains("size (number or value, Enter for a5):")
                .contains("note (text, Enter for none):");
    }

    @Test
    void a_question_can_be_declined_or_closed() {
        user.type(":d").type("y").type(":c");
        assertThat(dialogue.form(FORM)).isEqualTo(new Reply.Declined());
        assertThat(dialogue.form(FORM)).isEqualTo(new Reply.Dismissed());
    }

    @Test
    void an_address_is_shown_and_never_opened() {
        user.type("no");
        assertThat(dialogue.link(new Link("reports", "Log in", "https://example.com/x?y=1", null)))
                .isEqualTo(new Reply.Declined());
        assertThat(user.err()).contains("https://example.com/x?y=1").contains("Longhaul does not open it.");
    }

    @Test
    void who_asked_last_gets_the_next_line() throws Exception {
        var input = new LineInput(user.terminal().in());
        var first = new java.util.concurrent.FutureTask<>(input::next);
        var thread = Thread.ofPlatform().start(first);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        var second = new java.util.concurrent.FutureTask<>(input::next);
        var other = Thread.ofPlatform().start(second);
        while (other.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        user.type("for the second").type("for the first");
        assertThat(List.of(second.get(), first.get()).toString())
                .isEqualTo("[Optional[for the second], Optional[for the first]]");
    }

    @Test
    void answers_that_were_given_before_fill_a_form() {
        assertThat(PresetAnswers.of(List.of("copies=3"), true).answer(FORM))
                .contains(new Reply.Accepted(Json.raw("{\"publish\":true,\"copies\":3,\"size\":\"a5\"}")));
        assertThat(PresetAnswers.of(List.of("copies=3"), false).answer(FORM)).isEmpty();
        assertThat(PresetAnswers.of(List.of("copies=x"), true).answer(FORM)).isEmpty();
    }
}
