// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.address;

import io.longhaul.engine.task.TaskId;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The address where the result of a job can be downloaded. Every caller with the address can read the result.
 *
 * @param task      the task of the result
 * @param uri       an address of this server
 * @param name      the name of the result: the end of its address at the API
 * @param mediaType the media type as the API states it, without parameters
 * @param size      the size in bytes; null where the API does not state it
 * @param until     the latest time at which the address expires
 */
public record ResultLink(
        TaskId task,
        URI uri,
        String name,
        String mediaType,
        @Nullable Long size,
        Instant until) {}
