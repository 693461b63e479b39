// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.ScriptedServer;
import io.longhaul.client.Scripts;
import io.longhaul.client.TestTime;
import io.longhaul.client.Transcript;
import io.longhaul.client.question.QuestionTranslator;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.Timeouts;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A call whose response ends its task. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class RacedCreationTest {

    private static final RequestorSettings SETTINGS = new RequestorSettings(
            Json.raw("{\"name\":\"tester\",\"version\":\"1\"}"),
            new QuestionTranslator(null, null, null, null, AnswerTaskRows.NONE),
            Timeouts.DEFAULT,
            new TestTime(),
            Optional.of(Generation.V2025_06_18),
            RequestAuthorizer.NONE);

    private static final TaskView TASK = new TaskView(
            "t",
            new TaskView.Status(TaskView.State.WORKING, null, null),
            TaskView.Times.UNTOLD,
            Duration.ZERO,
            Map.of(),
            null);

    /** Otherwise a look that fails in between ends the call, though its response has come. */
    @Test
    void the_response_may_come_until_its_end_is_told() throws Exception {
        var server = new ScriptedServer(Scripts.script(Scripts.PLAIN, "-> tools/call", "<- {\"content\":[]}"), false);
        var call = new OutgoingCall(new Call.CallTool(
                "report", Scripts.NO_ARGUMENTS, new Call.TaskWish.None(), Call.CallExtras.NONE, Call.Round.FIRST));
        try (var requestor = Requestor.open(() -> server, SETTINGS)) {
            var race = new RacedCreation(requestor, call, "key-1");
            var creation = race.creation(TASK, () -> false);
            var mayRespondWhenTold =
                    creation.response().thenApply(end -> creation.mayRespond().getAsBoolean());
            assertThat(race.begin()).isEmpty();
            assertThat(mayRespondWhenTold.get()).isTrue();
            while (creation.mayRespond().getAsBoolean()) {
                Thread.onSpinWait();
            }
        }
    }
}
