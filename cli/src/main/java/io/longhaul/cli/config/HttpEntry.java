// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.backend.http.HttpJob;
import java.util.Map;
import java.util.function.Function;

/**
 * The job of an API.
 *
 * @param job        of the variables of the server, where secrets may be
 * @param callsBack whether the API is told where it can call
 * @param downloads whether callers get addresses of results
 */
public record HttpEntry(Function<Map<String, String>, HttpJob> job, boolean callsBack, boolean downloads)
        implements WorkEntry {}
