// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Payload;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.TaskCall;
import io.longhaul.receiver.ext.toolsasync.JoinedCalls;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.plan.Plan;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Parts;
import io.longhaul.receiver.tool.ServedTool.Plain;
import io.longhaul.receiver.tool.ServedTool.Which;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a session is told of a task that goes on while the call that creates or joins it is being answered. */
@Timeout(60)
class BeginningTest extends DeliveryParts {

    private static final Kind.LongRunning TOOL = new Kind.LongRunning(
            new Which.Every(), null, arguments -> null, ToolQuestions.NONE, Parts.DEFAULT, Plain.DEFAULT);

    private final RecordedStream connection = new RecordedStream();
    private final MessageStream stream = stream(connection);

    /** A request is told a step and the end of the task. */
    private void isToldByRequest() {
        var waits = waits();
        changes(TaskFixtures.progress(now, 1));
        ends();
        Blocking.join(waits.thread);
        assertThat(waits.exchange.sent).anyMatch(text -> text.contains("at 1.0"));
        awaitNoListener();
    }

    private void awaitNoListener() {
        while (!deliveries.feeds().of(task.id()).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_task_whose_end_a_request_was_told_before_its_creation_was_answered_is_not_told_from_its_beginning() {
        deliveries.prepare(session, manner, task);
        isToldByRequest();
        deliveries.follow(session, manner, task);
        awaitNoListener();
        stream.flush();
        assertThat(connection.messages()).noneMatch(text -> text.contains("at 1.0"));
    }

    @Test
    void a_task_whose_end_a_request_was_told_before_its_joining_was_answered_is_not_told_from_its_beginning()
            throws Exception {
        var services = new CallServices(context, parts.dialects, null, null, deliveries, null);
        var exchange = new RecordedExchange(session.principal());
        exchange.beforeAnswer = this::isToldByRequest;
        var words = parts.manner("tools-async-2025-11-25");
        var call = new CallTool("waits", Json.EMPTY_OBJECT, CallExtras.NONE);
        var request = parts.request(session, words, 100, exchange);
        var plan = new Plan.Task(new Answering.Joined(Duration.ofHours(1)), request.asking(), null, Leaving.NOTHING);
        var asked = Payload.of(call.arguments().bytes());
        new JoinedCalls(services).answer(request, new TaskCall("waits", asked, call, call, plan, TOOL), task, 0);
        awaitNoListener();
        stream.flush();
        assertThat(exchange.answers).hasSize(1);
        assertThat(connection.messages()).noneMatch(text -> text.contains("at 1.0"));
    }

    @Test
    void what_happens_before_a_creation_is_answered_is_told_though_another_stream_is_opened_meanwhile() {
        deliveries.prepare(session, manner, task);
        now = isRecorded();
        delivery.skip(now);
        assertThat(delivery.position()).isLessThan(now.position().lastEvent());
    }
}
