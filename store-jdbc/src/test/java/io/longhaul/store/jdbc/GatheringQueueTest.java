package io.longhaul.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class GatheringQueueTest {

    private final GatheringQueue<String> queue = new GatheringQueue<>();

    @Test
    void a_consumer_takes_all_that_waits_in_its_order() {
        queue.add("one");
        queue.add("two");
        assertThat(queue.take(0, 0)).containsExactly("one", "two");
        queue.add("three");
        assertThat(queue.take(0, 0)).containsExactly("three");
    }

    @Test
    void a_consumer_that_served_one_alone_waits_for_nothing_more() {
        queue.add("one");
        assertThat(queue.take(1, Long.MAX_VALUE)).containsExactly("one");
    }

    @Test
    void a_consumer_that_served_several_waits_for_as_many_beside_those_that_wait_already() throws Exception {
        queue.add("one");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var group = threads.submit(() -> queue.take(2, Long.MAX_VALUE));
            queue.add("two");
            queue.add("three");
            assertThat(group.get()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void a_consumer_takes_what_there_is_when_its_time_is_over() {
        queue.add("one");
        assertThat(queue.take(5, 1)).containsExactly("one");
    }

    @Test
    void a_consumer_waits_for_the_first_one_however_long_that_takes() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var group = threads.submit(() -> queue.take(5, 1));
            queue.add("one");
            assertThat(group.get()).contains("one");
        }
    }

    @Test
    void an_interrupt_takes_nothing_from_the_consumer() {
        queue.add("one");
        Thread.currentThread().interrupt();
        try {
            assertThat(queue.take(5, 1)).containsExactly("one");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
