// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks as their requestors know them: names, views, output, and the commands that clients and applications share. The
 * package knows no stream, and changes a task only by asking the engine.
 */
@NullMarked
package io.longhaul.receiver.task;

import org.jspecify.annotations.NullMarked;
