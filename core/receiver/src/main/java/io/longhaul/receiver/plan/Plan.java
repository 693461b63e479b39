// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import io.longhaul.engine.task.Retention;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a request is carried out. */
public sealed interface Plan {

    /**
     * The request is refused.
     *
     * @param answering how the call would have been answered, where a refusal is told in that way; else null
     */
    record Refused(Refusal why, @Nullable Answering answering) implements Plan {}

    /** A handler answers while the sender waits. */
    record Quick(Kind.Quick tool) implements Plan {}

    /** A handler answers as a task. */
    record QuickTask(Kind.Quick tool) implements Plan {}

    /**
     * A durable task is made, or found, and the request is answered from the task.
     *
     * @param asking    what the sender can be asked
     * @param retention how long the task is kept; null where the engine decides that
     * @param leaving   what becomes of the call and its task when the sender leaves the call
     */
    record Task(
            Answering answering, Asking asking, @Nullable Retention retention, Leaving leaving) implements Plan {}

    /** The response is known: nothing is carried out. */
    record Told(CallResponse response) implements Plan {}

    /** As the arguments say, which are looked at when they are known to be valid. */
    record ByArguments(Function<Json, Plan> plan) implements Plan {}

    /** The plan for these valid arguments. */
    default Plan with(Json arguments) {
        return this instanceof ByArguments(var plan) ? plan.apply(arguments).with(arguments) : this;
    }
}
