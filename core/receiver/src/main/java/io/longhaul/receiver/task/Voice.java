// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How one session is told of one task. Thread-safe. */
public interface Voice {

    /**
     * The progress that the session is told; empty where the session wants no progress.
     *
     * @param isNews    whether there is partial output that the session was not told of
     * @param resources where the partial output can be read
     */
    Optional<Notice.Progress> progress(ProgressView now, String taskId, boolean isNews, ResourceUris resources);

    /** The notices of a cancelled task, beside the notice of its state. */
    default List<Notice.CallCancelled> cancelled(Task task) {
        return List.of();
    }

    /** The name of the dialect of these notices; null for the dialect of all others. */
    default @Nullable String dialect() {
        return null;
    }
}
