// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.task.InputRequest;
import java.util.List;

/**
 * What a new task takes over from an ended task with the same request: its first attempt goes on from there, as another
 * attempt of the ended task would.
 *
 * @param happenings the done steps and the pieces of output, oldest first
 * @param answered   the questions of the work with their answers
 */
public record Carried(List<EventDetail> happenings, List<InputRequest> answered) {

    /** A task that begins at its beginning. */
    public static final Carried NOTHING = new Carried(List.of(), List.of());

    public Carried {
        happenings = List.copyOf(happenings);
        answered = List.copyOf(answered);
    }
}
