// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import io.longhaul.backend.http.HttpJob;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The job of an API.
 *
 * @param job        makes the job from the server's variables, with secrets
 * @param callsBack whether the API is told an address for callbacks
 * @param downloads whether callers get addresses of results
 * @param tokens    for the requests, or null
 */
public record HttpEntry(
        Function<Map<String, String>, HttpJob> job,
        boolean callsBack,
        boolean downloads,
        @Nullable JobTokens tokens) implements WorkEntry {}
