// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.task.TaskId;
import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The share of one node in the slots of a kind of work that has a limit over all nodes.
 *
 * @param held   slots that this node has, and no other node
 * @param usable how many of the held slots may be filled: the others are wanted elsewhere, and go back when their runs
 *               have ended
 */
public record Allotment(int held, int usable) {

    /** No slot. */
    public static final Allotment NONE = new Allotment(0, 0);

    /**
     * The request of a node for slots.
     *
     * @param work   the name of the kind of work
     * @param limit  how many of it run at once over all nodes
     * @param busy   slots that are filled, or may be while the node asks
     * @param wanted slots that the node would fill
     * @param next   the task that would fill the next slot; null for none
     */
    public record Want(
            String work,
            int limit,
            int busy,
            int wanted,
            @Nullable TaskId next) {

        /** The claim that other nodes see, with the number of slots that {@code node} holds. */
        public Claim by(String node, int held) {
            return new Claim(node, held, wanted, next);
        }
    }

    /**
     * What a node holds, and what it wants, of a limit over all nodes.
     *
     * @param node the name of the node
     */
    public record Claim(
            String node, int held, int wanted, @Nullable TaskId next) {

        private int wantedOf(int limit) {
            return Math.min(wanted, limit);
        }
    }

    /**
     * The new allotment of a node: its part of the limit, as far as other nodes have given slots back. A node never
     * gets more slots than the others leave, and keeps its busy slots.
     *
     * @param node   the name of the node that asks
     * @param before the number of slots that the node held before
     * @param others the claims of all other nodes
     */
    public static Allotment of(String node, Want want, int before, Collection<Claim> others) {
        var mine = want.by(node, before);
        int part = part(mine, others, want.limit);
        int free = want.limit - others.stream().mapToInt(Claim::held).sum();
        int held = Math.max(Math.min(before, want.busy), Math.min(part, Math.max(0, free)));
        return new Allotment(held, Math.min(part, held));
    }

    /**
     * The fair part of one of several nodes. Each node gets what it wants, up to a level that is the same for all
     * nodes. The remaining slots go, one each, to the nodes whose next tasks are the oldest.
     */
    public static int part(Claim mine, Collection<Claim> others, int limit) {
        var byWant = Stream.concat(Stream.of(mine), others.stream())
                .sorted(Comparator.comparingInt(claim -> claim.wantedOf(limit)))
                .toList();
        int rest = limit;
        int at = 0;
        while (at < byWant.size() && byWant.get(at).wantedOf(limit) <= rest / (byWant.size() - at)) {
            rest -= byWant.get(at).wantedOf(limit);
            at++;
        }
        var above = byWant.subList(at, byWant.size()).stream()
                .sorted(Comparator.comparing(Claim::next, Comparator.nullsLast(Comparator.naturalOrder()))
                        .thenComparing(Claim::node))
                .toList();
        int place = above.indexOf(mine);
        return place < 0 ? mine.wantedOf(limit) : rest / above.size() + (place < rest % above.size() ? 1 : 0);
    }
}
