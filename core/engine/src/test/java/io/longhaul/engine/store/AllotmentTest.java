// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Allotment.Claim;
import io.longhaul.engine.store.Allotment.Want;
import io.longhaul.engine.task.TaskId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** How a limit is shared out among nodes. */
class AllotmentTest {

    private static final int SEEDS = 300;

    private static TaskId id(int age) {
        return TaskId.of(age, 0, 0);
    }

    private static Claim claim(String node, int wanted, int age) {
        return new Claim(node, 0, wanted, id(age));
    }

    private static List<Integer> parts(int limit, Claim... claims) {
        return parts(limit, List.of(claims));
    }

    private static List<Integer> parts(int limit, List<Claim> claims) {
        return claims.stream()
                .map(mine -> {
                    var others =
                            claims.stream().filter(claim -> !claim.equals(mine)).toList();
                    return Allotment.part(mine, others, limit);
                })
                .toList();
    }

    @Test
    void a_node_that_wants_less_leaves_the_rest_to_the_others() {
        assertThat(parts(10, claim("a", 1, 1), claim("b", 20, 2), claim("c", 20, 3)))
                .containsExactly(1, 5, 4);
        assertThat(parts(10, claim("a", 0, 1), claim("b", 3, 2), claim("c", 4, 3)))
                .containsExactly(0, 3, 4);
        assertThat(parts(10, claim("a", Integer.MAX_VALUE, 1))).containsExactly(10);
    }

    @Test
    void what_is_left_over_goes_to_the_nodes_whose_next_tasks_are_the_oldest() {
        assertThat(parts(1, claim("a", 5, 3), claim("b", 5, 1), claim("c", 5, 2)))
                .containsExactly(0, 1, 0);
        assertThat(parts(5, claim("a", 5, 3), claim("b", 5, 1), claim("c", 5, 2)))
                .containsExactly(1, 2, 2);
        assertThat(parts(1, new Claim("a", 1, 1, null), claim("b", 1, 9))).containsExactly(0, 1);
    }

    @RepeatedTest(SEEDS)
    void parts_are_fair_and_use_all_of_the_limit_that_is_wanted(RepetitionInfo seed) {
        var random = new Random(seed.getCurrentRepetition());
        int limit = random.nextInt(12);
        var claims = new ArrayList<Claim>();
        for (int node = random.nextInt(6); node >= 0; node--) {
            claims.add(new Claim("n" + node, 0, random.nextInt(9), random.nextBoolean() ? id(node) : null));
        }
        var parts = parts(limit, claims);
        int wanted = claims.stream().mapToInt(Claim::wanted).sum();
        assertThat(parts.stream().mapToInt(part -> part).sum()).isEqualTo(Math.min(limit, wanted));
        int most = parts.stream().mapToInt(part -> part).max().orElseThrow();
        for (int i = 0; i < parts.size(); i++) {
            assertThat(parts.get(i)).isBetween(0, claims.get(i).wanted());
            boolean hasAll = parts.get(i) == claims.get(i).wanted();
            assertThat(hasAll || parts.get(i) >= most - 1)
                    .as("%s of %s", parts, claims)
                    .isTrue();
        }
    }

    @Test
    void a_node_takes_no_more_than_others_leave_and_gives_nothing_back_that_is_busy() {
        var other = new Claim("b", 3, 3, null);
        assertThat(Allotment.of("a", new Want("w", 4, 0, 4, id(1)), 0, List.of(other)))
                .isEqualTo(new Allotment(1, 1));
        assertThat(Allotment.of("a", new Want("w", 4, 4, 4, id(1)), 4, List.of(claim("b", 4, 2))))
                .isEqualTo(new Allotment(4, 2));
        assertThat(Allotment.of("a", new Want("w", 4, 2, 4, id(1)), 4, List.of(claim("b", 4, 2))))
                .isEqualTo(new Allotment(2, 2));
        assertThat(Allotment.of("a", new Want("w", 4, 0, 0, null), 4, List.of()))
                .isEqualTo(Allotment.NONE);
    }

    @Test
    void a_node_with_a_lower_limit_of_its_own_holds_to_that_one() {
        var other = new Claim("b", 5, 5, null);
        assertThat(Allotment.of("a", new Want("w", 2, 0, 2, id(1)), 0, List.of(other)))
                .isEqualTo(Allotment.NONE);
        assertThat(Allotment.of("a", new Want("w", 2, 2, 2, id(1)), 2, List.of(other)))
                .isEqualTo(new Allotment(2, 1));
    }

    /** A node of a small model, in which runs begin and end, and nodes ask in any order. */
    private static final class Node {
        final String name;
        final Deque<TaskId> waiting = new ArrayDeque<>();
        Allotment allotted = Allotment.NONE;
        Claim stored;
        int running;

        Node(String name) {
            this.name = name;
            stored = new Claim(name, 0, 0, null);
        }

        void ask(int limit, List<Node> all) {
            int busy = Math.max(running, allotted.usable());
            var want = new Want("work", limit, busy, running + waiting.size(), waiting.peek());
            var others = all.stream()
                    .filter(node -> node != this)
                    .map(node -> node.stored)
                    .toList();
            allotted = Allotment.of(name, want, stored.held(), others);
            stored = new Claim(name, allotted.held(), want.wanted(), want.next());
        }

        /** Begins what it may; gives those that have begun. */
        List<TaskId> begin() {
            var begun = new ArrayList<TaskId>();
            while (running < allotted.usable() && !waiting.isEmpty()) {
                begun.add(waiting.remove());
                running++;
            }
            return begun;
        }
    }

    @RepeatedTest(SEEDS)
    void no_more_run_than_the_limit_whatever_the_order_and_no_task_is_passed_over_for_long(RepetitionInfo seed) {
        var random = new Random(seed.getCurrentRepetition());
        int limit = 1 + random.nextInt(4);
        var nodes = new ArrayList<Node>();
        for (int node = random.nextInt(4); node >= 0; node--) {
            nodes.add(new Node("n" + node));
        }
        int created = 0;
        var passedOver = 0;
        for (int step = 0; step < 2_000; step++) {
            var node = nodes.get(random.nextInt(nodes.size()));
            if (node.waiting.size() < 5) {
                node.waiting.add(id(created++));
            }
            switch (random.nextInt(3)) {
                case 0 -> node.running -= node.running > 0 ? 1 : 0;
                case 1 -> node.ask(limit, nodes);
                default -> {
                    var begun = node.begin();
                    passedOver += begun.size();
                    var oldest = nodes.stream()
                            .filter(other -> !other.waiting.isEmpty())
                            .map(other -> other.waiting.peek())
                            .min(Comparator.naturalOrder());
                    if (oldest.isEmpty() || begun.stream().anyMatch(id -> id.compareTo(oldest.get()) < 0)) {
                        passedOver = 0;
                    }
                }
            }
            int running = nodes.stream().mapToInt(of -> of.running).sum();
            int held = nodes.stream().mapToInt(of -> of.stored.held()).sum();
            assertThat(running).isLessThanOrEqualTo(held);
            assertThat(held).isLessThanOrEqualTo(limit);
            assertThat(passedOver).isLessThan(40);
        }
        assertThat(created).isGreaterThan(100);
    }
}
