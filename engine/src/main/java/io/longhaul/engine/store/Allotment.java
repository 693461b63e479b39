// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.task.TaskId;
import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one node has of the slots of a kind of work, of which so many run at once over all nodes.
 *
 * @param held   slots that no other node has
 * @param usable how many of them may be filled: the others are wanted elsewhere, and go back when their runs have ended
 */
public record Allotment(int held, int usable) {

    /** No slot. */
    public static final Allotment NONE = new Allotment(0, 0);

    /**
     * What a node asks for.
     *
     * @param work   the name of the kind of work
     * @param limit  how many of it run at once over all nodes
     * @param busy   slots that are filled, or may be while the node asks
     * @param wanted slots that it would fill
     * @param next   the task that would fill the next one; null for none
     */
    public record Want(
            String work,
            int limit,
            int busy,
            int wanted,
            @Nullable TaskId next) {

        /** What others see of it, with what {@code node} holds. */
        public Claim by(String node, int held) {
            return new Claim(node, held, wanted, next);
        }
    }

    /**
     * What a node has of a limit that holds over all nodes, and what it wants of it.
     *
     * @param node its name
     */
    public record Claim(
            String node, int held, int wanted, @Nullable TaskId next) {

        private int wantedOf(int limit) {
            return Math.min(wanted, limit);
        }
    }

    /**
     * What a node has from now on: its part of the limit, as soon as others have given back what of it they hold. It
     * never holds more than others leave, and gives nothing back that is busy.
     *
     * @param node   who asks
     * @param before what it held before
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
     * The fair part of one of several nodes. All get as many as they want up to a level that is the same for all, and
     * what is left over goes, one each, to those whose next tasks are the oldest.
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
