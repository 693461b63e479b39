// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.task.TaskId;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the result of a job can be downloaded. Whoever has the address can read the result.
 *
 * @param task      whose result it is
 * @param uri       an address of this server
 * @param name      of the result: the end of its address at the API
 * @param mediaType as the API says, without parameters
 * @param size      in bytes; null where the API does not say
 * @param until     when the address ends, at the latest
 */
public record ResultLink(
        TaskId task,
        URI uri,
        String name,
        String mediaType,
        @Nullable Long size,
        Instant until) {}
