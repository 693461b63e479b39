// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.batch;

import static io.longhaul.receiver.ReceiverParts.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.receiver.RecordedExchange;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that came in one array. */
class BatchTest {

    private final RecordedExchange exchange = new RecordedExchange(ANN);

    @Test
    void answers_go_back_in_one_array_in_the_order_of_their_messages() {
        var second = new CompletableFuture<Void>();
        play(2, (position, item) -> {
            if (position == 0) {
                second.join();
            }
            item.answer(new WholeResponse(200, body(position)));
            if (position == 1) {
                second.complete(null);
            }
        });
        assertThat(exchange.answers).containsExactly(new WholeResponse(200, Json.raw("[0,1]")));
    }

    @Test
    void all_messages_are_answered_at_the_same_time() {
        var all = new CountDownLatch(3);
        play(3, (position, item) -> {
            all.countDown();
            try {
                all.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            item.answer(new WholeResponse(200, body(position)));
        });
        assertThat(exchange.answers).containsExactly(new WholeResponse(200, Json.raw("[0,1,2]")));
    }

    @Test
    void messages_that_need_no_response_are_accepted() {
        play(2, (position, item) -> item.answer(new WholeResponse(202, null)));
        assertThat(exchange.answers).containsExactly(new WholeResponse(202, null));
    }

    @Test
    void an_array_in_which_every_message_is_bad_is_a_bad_request() {
        play(2, (position, item) -> item.answer(new WholeResponse(400, body(position))));
        assertThat(exchange.answers).containsExactly(new WholeResponse(400, Json.raw("[0,1]")));
    }

    @Test
    void an_array_in_which_one_message_is_good_is_answered() {
        var good = new CompletableFuture<Void>();
        play(2, (position, item) -> {
            if (position == 0) {
                good.join();
                item.answer(new WholeResponse(400, body(0)));
            } else {
                item.answer(new WholeResponse(202, null));
                good.complete(null);
            }
        });
        assertThat(exchange.answers).containsExactly(new WholeResponse(200, Json.raw("[0]")));
    }

    @Test
    void a_message_that_fails_leaves_the_others_their_answers() {
        play(2, (position, item) -> {
            if (position == 0) {
                throw new IllegalStateException("the first message fails, as it shall in this test");
            }
            item.answer(new WholeResponse(200, body(position)));
        });
        assertThat(exchange.answers).containsExactly(new WholeResponse(200, Json.raw("[1]")));
    }

    @Test
    void an_array_of_messages_that_fail_is_answered_all_the_same() {
        play(1, (position, item) -> {
            throw new IllegalStateException("the only message fails, as it shall in this test");
        });
        assertThat(exchange.answers).containsExactly(new WholeResponse(500, null));
    }

    @Test
    void where_one_message_needs_a_stream_all_answers_go_on_it_and_it_ends_with_the_last() {
        var opened = new CompletableFuture<Void>();
        var answered = new CompletableFuture<Void>();
        play(3, (position, item) -> {
            if (position == 1) {
                answered.join();
                try (var stream = item.stream(Map.of())) {
                    stream.send("an id", Json.raw("\"before\""));
                    stream.send("an id", body(1));
                }
                opened.complete(null);
            } else if (position == 0) {
                item.answer(new WholeResponse(200, body(0)));
                answered.complete(null);
            } else {
                opened.join();
                item.answer(new WholeResponse(200, body(2)));
            }
        });
        assertThat(exchange.sent).containsExactly("0", "\"before\"", "1", "2", "closed");
        assertThat(exchange.answers).isEmpty();
    }

    @Test
    void the_answers_of_a_client_that_has_left_are_lost_once_each() {
        var lost = new AtomicInteger();
        exchange.leave();
        play(2, (position, item) -> item.answer(new WholeResponse(200, body(position)), lost::incrementAndGet));
        assertThat(exchange.answers).isEmpty();
        assertThat(lost).hasValue(2);
    }

    @Test
    void answers_that_waited_are_lost_where_the_stream_of_another_one_cannot_be_written() {
        var lost = new AtomicInteger();
        var answered = new CompletableFuture<Void>();
        play(2, (position, item) -> {
            if (position == 0) {
                item.answer(new WholeResponse(200, body(0)), lost::incrementAndGet);
                exchange.leave();
                answered.complete(null);
            } else {
                answered.join();
                item.stream(Map.of());
            }
        });
        assertThat(lost).hasValue(1);
    }

    @Test
    void answers_that_are_written_are_not_lost() {
        var lost = new AtomicInteger();
        play(2, (position, item) -> item.answer(new WholeResponse(200, body(position)), lost::incrementAndGet));
        assertThat(exchange.answers).hasSize(1);
        assertThat(lost).hasValue(0);
    }

    /** Answers one message of the array. */
    private interface Answering {
        void answer(int position, Exchange item);
    }

    private void play(int messages, Answering answering) {
        List<Json> all = IntStream.range(0, messages).mapToObj(BatchTest::body).toList();
        BiFunction<Json, Exchange, Runnable> each =
                (message, item) -> () -> answering.answer(Integer.parseInt(message.toString()), item);
        Batch.accept(all, exchange, each).run();
    }

    private static Json body(int position) {
        return Json.raw(Integer.toString(position));
    }
}
