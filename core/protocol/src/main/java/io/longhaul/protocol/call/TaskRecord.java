// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A task with details that no generation shows.
 *
 * @param task      the task as every requestor sees it; in a list without its questions and its result
 * @param tool      the tool that was called
 * @param owner     the name of the principal that the task belongs to
 * @param attempts  how often its work was started
 * @param questions how many questions wait for their answer
 * @param arguments of the call; null in a list
 */
public record TaskRecord(
        TaskView task,
        String tool,
        String owner,
        int attempts,
        int questions,
        @Nullable Json arguments) {}
