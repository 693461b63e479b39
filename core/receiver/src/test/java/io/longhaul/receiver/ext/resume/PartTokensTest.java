// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import static io.longhaul.receiver.ReceiverParts.ANN;
import static io.longhaul.receiver.ReceiverParts.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.ext.resume.PartTokens.PartRequest;
import io.longhaul.receiver.ext.resume.PartTokens.Position;
import io.longhaul.receiver.plan.Answering.NextPart;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.tool.ServedTool.Parts;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tokens for the next part of a result. */
class PartTokensTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Parts FOR_AN_HOUR = new Parts(false, null, HOUR);

    private final ReceiverParts parts = new ReceiverParts();
    private final PartTokens tokens = new PartTokens(parts.context, new CallStates(parts.context));
    private final Task task = parts.task(ReceiverParts.session("s", ANN));

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void a_token_goes_on_behind_the_last_event_that_its_caller_was_told_of() {
        String token = token(7);
        assertThat(opened(ANN, "t", token)).contains(7L);
        assertThat(opened(BOB, "t", token)).isEmpty();
        assertThat(opened(ANN, "another tool", token)).isEmpty();
        assertThat(opened(ANN, "t", token + "x")).isEmpty();
    }

    @Test
    void a_token_is_good_for_the_time_of_its_tool() {
        String token = token(7);
        parts.time.advance(HOUR.minusMillis(1));
        assertThat(opened(ANN, "t", token)).isPresent();
        parts.time.advance(Duration.ofMillis(1));
        assertThat(opened(ANN, "t", token)).isEmpty();
    }

    @Test
    void the_next_token_stands_where_the_client_has_put_the_one_before() {
        for (boolean inMeta : new boolean[] {true, false}) {
            var part =
                    tokens.part(wanted(new NextPart("before", inMeta)), new Position(task, 1), Json.EMPTY_OBJECT, true);
            assertThat(part.next().inMeta()).isEqualTo(inMeta);
            assertThat(part.next().task()).isEqualTo(task.id().value());
        }
    }

    @Test
    void no_token_is_promised_for_longer_than_its_task_is_kept() {
        assertThat(life(Retention.fromCompletion(Duration.ofMinutes(1)))).isEqualTo(Duration.ofMinutes(1));
        assertThat(life(Retention.fromCompletion(HOUR.multipliedBy(2)))).isEqualTo(HOUR);
        parts.time.advance(HOUR);
        assertThat(life(Retention.fromCreation(HOUR.plusMinutes(5)))).isEqualTo(Duration.ofMinutes(5));
        assertThat(life(Retention.fromCreation(Duration.ofMinutes(5)))).isEqualTo(Duration.ZERO);
    }

    @Test
    void a_call_without_a_token_wants_the_first_part() {
        assertThat(wanted(new NextPart(null, false)).isFirst()).isTrue();
        assertThat(wanted(new NextPart("token", false)).isFirst()).isFalse();
    }

    private @Nullable Duration life(Retention retention) {
        parts.context.engine().retain(task.owner(), task.id(), retention);
        var now = parts.context.engine().find(task.owner(), task.id()).orElseThrow();
        return tokens.part(wanted(new NextPart(null, false)), new Position(now, 1), Json.EMPTY_OBJECT, true)
                .life();
    }

    private String token(long told) {
        var part = tokens.part(wanted(new NextPart(null, false)), new Position(task, told), Json.EMPTY_OBJECT, true);
        return Objects.requireNonNull(part.next().token());
    }

    private PartRequest wanted(NextPart wish) {
        return new PartRequest(parts.request(ANN), call("t"), FOR_AN_HOUR, wish);
    }

    private Optional<Long> opened(Principal caller, String tool, String token) {
        var part = new PartRequest(parts.request(caller), call(tool), FOR_AN_HOUR, new NextPart(token, false));
        return tokens.open(part).map(Position::told);
    }

    private static CallTool call(String tool) {
        return new CallTool(tool, Json.EMPTY_OBJECT, CallExtras.NONE);
    }
}
