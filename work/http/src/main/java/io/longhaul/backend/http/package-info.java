// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs of HTTP APIs. {@link io.longhaul.backend.http.HttpJob} describes how an API starts, shows and cancels a job, and
 * {@link io.longhaul.backend.http.HttpBackend} runs such jobs for tasks.
 */
@NullMarked
package io.longhaul.backend.http;

import org.jspecify.annotations.NullMarked;
