// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Retry;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.node.Nodes;
import io.longhaul.receiver.request.InboundRequest;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which tasks the same call means, at each moment at which the result of one may go out. */
class UndeliveredCallsTest {

    private static final CallTool CALL =
            new CallTool("waits", Json.EMPTY_OBJECT, new TaskWish.None(), CallExtras.NONE, Retry.FIRST);

    private final ReceiverParts parts = new ReceiverParts();
    private Runnable afterListing = () -> {};
    private final UndeliveredCalls undelivered = new UndeliveredCalls(engine(), parts.context.nodes());
    private final InboundRequest first = parts.request(ReceiverParts.ANN);
    private final Task task = parts.task(first.session());

    @AfterEach
    void close() {
        parts.close();
    }

    /** An engine that does something else right after it has listed rows. */
    private TaskEngine engine() {
        var rows = intercepted(RowStore.class, parts.context.engine().rows(), "list", () -> afterListing.run());
        var real = parts.context.engine();
        return (TaskEngine) Proxy.newProxyInstance(
                TaskEngine.class.getClassLoader(),
                new Class<?>[] {TaskEngine.class},
                (proxy, method, arguments) -> method.getName().equals("rows") ? rows : method.invoke(real, arguments));
    }

    private static <T> T intercepted(Class<T> type, T real, String name, Runnable after) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    var result = method.invoke(real, arguments);
                    if (method.getName().equals(name)) {
                        after.run();
                    }
                    return result;
                }));
    }

    @Test
    void a_result_that_goes_out_while_the_same_call_looks_for_it_is_not_given_again() {
        undelivered.add(first, task);
        var again = parts.request(ReceiverParts.ANN);
        assertThat(undelivered.of(again, CALL)).hasSize(1);
        afterListing = () -> {
            undelivered.delivering(first, task);
            undelivered.delivered(first, task, true);
        };
        assertThat(undelivered.of(again, CALL)).isEmpty();
    }

    @Test
    void a_result_that_did_not_reach_its_client_is_still_to_be_received() {
        undelivered.add(first, task);
        undelivered.delivering(first, task);
        assertThat(undelivered.of(first, CALL)).isEmpty();
        undelivered.delivered(first, task, false);
        assertThat(undelivered.of(first, CALL)).hasSize(1);
    }

    @Test
    void a_result_on_its_way_to_a_request_that_was_given_up_is_still_to_be_received() {
        undelivered.add(first, task);
        undelivered.delivering(first, task);
        first.live().timeOut();
        assertThat(undelivered.of(parts.request(ReceiverParts.ANN), CALL)).hasSize(1);
    }

    @Test
    void more_calls_than_a_page_of_rows_holds_are_all_found_newest_first() {
        var request = parts.request(ReceiverParts.ANN);
        for (int call = 0; call < 101; call++) {
            undelivered.add(request, parts.task(request.session()));
        }
        var found = undelivered.of(request, CALL).stream()
                .map(task -> task.id().value())
                .toList();
        assertThat(found).hasSize(101).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(undelivered.of(request)).map(List::size).hasValue(101);
    }

    /** Two nodes over one store, to either of which the client may come next. */
    @Nested
    class AtAnotherNode {

        private final RowStore rows = MemoryTaskStore.shared().rows();
        private final TaskEngine shared =
                parts.with(Map.of("rows", none -> rows)).engine();

        @AutoClose
        private final Nodes here = node(1);

        @AutoClose
        private final Nodes there = node(2);

        private final UndeliveredCalls sender = new UndeliveredCalls(shared, here);
        private final UndeliveredCalls asked = new UndeliveredCalls(shared, there);

        @BeforeEach
        void created() {
            sender.add(first, task);
        }

        private Nodes node(int seed) {
            var node = new Nodes(shared, new Random(seed));
            node.start();
            return node;
        }

        @Test
        void a_result_that_goes_out_is_not_given_again() {
            assertThat(asked.of(first, CALL)).hasSize(1);
            sender.delivering(first, task);
            assertThat(asked.of(first, CALL)).isEmpty();
            sender.delivered(first, task, true);
            assertThat(rows.list("undelivered-call", null, 10, Instant.EPOCH)).isEmpty();
        }

        @Test
        void a_result_that_did_not_reach_its_client_is_still_to_be_received() {
            sender.delivering(first, task);
            sender.delivered(first, task, false);
            assertThat(asked.of(first, CALL)).hasSize(1);
        }

        @Test
        void a_result_that_was_going_out_from_a_node_that_died_is_still_to_be_received() {
            sender.delivering(first, task);
            here.close();
            assertThat(asked.of(first, CALL)).hasSize(1);
        }

        @Test
        void a_result_that_was_received_and_is_asked_for_again_is_not_given_to_the_same_call() {
            sender.delivered(first, task, true);
            sender.delivering(first, task);
            sender.delivered(first, task, false);
            assertThat(asked.of(first, CALL)).isEmpty();
        }
    }
}
