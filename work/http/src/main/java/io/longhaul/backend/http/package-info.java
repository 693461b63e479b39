// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs of HTTP APIs: {@link io.longhaul.backend.http.HttpJob} describes how an API starts, shows and cancels a job, and
 * {@link io.longhaul.backend.http.HttpBackend} runs such jobs for tasks: {@code ApiRun} starts and follows, {@code
 * ApiStop} cancels. The package knows nothing of MCP, nor of the server that serves its callbacks and downloads.
 */
@NullMarked
package io.longhaul.backend.http;

import org.jspecify.annotations.NullMarked;
