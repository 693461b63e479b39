package io.longhaul.generations;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A client that speaks one generation, in so few verbs that a scenario written once fits every one of them. */
interface Caller {

    /**
     * What is to be called.
     *
     * @param key  makes the creation safe to repeat, where it is given
     * @param keep how long the result is to be kept, counted as the generation counts
     */
    record Order(String tool, @Nullable String key, Duration keep) {
        static Order of(String tool) {
            return new Order(tool, null, Works.KEPT);
        }

        Order keyed(String by) {
            return new Order(tool, by, keep);
        }
    }

    /**
     * A call that was made.
     *
     * @param id      what the verbs of the generation take; empty where it has none
     * @param request that made it
     */
    record Ref(String id, int request) {}

    /** A question of the server. */
    record Question(JsonNode id, String text) {}

    /** A client that follows a call until it ends. */
    interface Watch {
        Told end();
    }

    /** What this generation must say. */
    Truth truth();

    Talk talk();

    /** Makes a call, and waits for as much of an answer as there is at once. */
    Ref create(Order order);

    /** What is said at once to a call that cannot be made. */
    JsonNode refusal(Order order);

    /** What is said of the state of a call that has not ended. */
    String state(Ref call);

    /** Begins to wait for the end. */
    Watch watch(Ref call);

    /** A call of this order that another client of the same owner has made. */
    default Ref adopt(Ref call, Order order) {
        return new Ref(call.id(), 0);
    }

    /** As {@link #adopt}, and follows it from now on as the other client does. */
    default Ref join(Ref call, Order order) {
        return adopt(call, order);
    }

    /** Ends the session where retention begins with that. */
    default void leave() {}

    /** How the call has ended, asked for once more. */
    JsonNode fetch(Ref call);

    /** Waits for the question of a call. */
    Question question(Ref call);

    void answer(Ref call, Question question, ObjectNode result);

    /** What is said to a wish to cancel. */
    String cancel(Ref call);

    /** Waits for the first progress of a call. */
    String progress(Ref call);

    /** Waits for the next piece of partial output, where the generation has such. */
    default String part(Ref call) {
        throw new UnsupportedOperationException(Truth.NO_PARTS);
    }

    /** What each verb that takes the id of a call says. */
    Map<String, JsonNode> verbs(String id);

    /** Responses to requests whose params make no sense. */
    List<JsonNode> malformed();

    /** What somebody else is told of a call, by what they asked with. */
    default Map<String, String> seenBy(Caller other, Ref call) {
        var seen = new LinkedHashMap<String, String>();
        other.verbs(call.id()).forEach((verb, response) -> seen.put(verb, Told.outcome(response)));
        return seen;
    }

    /** Whether two creations gave the same call, as far as one can see at once. */
    default boolean isSame(Ref first, Ref second) {
        return first.id().equals(second.id());
    }

    /** The tasks that are listed, where the generation lists any. */
    default List<String> list() {
        throw new UnsupportedOperationException("nothing is listed");
    }

    default Told end(Ref call) {
        return watch(call).end();
    }
}
