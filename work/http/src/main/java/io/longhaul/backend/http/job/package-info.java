// SPDX-License-Identifier: Apache-2.0
/**
 * A job of an API: its description, the requests of its life, and the handle that the next server finds it by. The
 * package does not know what responses mean, nor the run of the task.
 */
@NullMarked
package io.longhaul.backend.http.job;

import org.jspecify.annotations.NullMarked;
