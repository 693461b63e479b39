package io.longhaul.server;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What one client must be told of one task, and what it was told. */
final class ModelLedger {

    final ModelWork work;
    final TreeSet<Integer> owed = new TreeSet<>();
    final TreeSet<Integer> told = new TreeSet<>();

    /** What streams that go on from the record have repeated. */
    final Set<Integer> repeated = new TreeSet<>();

    /** How often the session was told of the end. */
    int ends;

    /** The stream that the open question went out on last, and where. */
    @Nullable
    ModelStream holder;

    int heldAt;

    /** The number of that question. */
    int put;

    @Nullable
    JsonNode question;

    /** The last question that the client had answered before the present step of the simulation. */
    int answered;

    ModelLedger(ModelWork work) {
        this.work = work;
    }

    boolean hasAllOwed() {
        return owed.stream().allMatch(step -> told.contains(step) || repeated.contains(step));
    }

    /** Whether the client has this question before it, on a stream that lives. */
    boolean isInFront(int number) {
        return holder != null && holder.isOpen() && put == number;
    }
}
