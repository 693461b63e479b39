// SPDX-License-Identifier: Apache-2.0
/**
 * Followers of tasks, one class for each way in which a generation lets a task be followed. The package knows no
 * generation by name and no connection: it makes calls.
 */
@NullMarked
package io.longhaul.requestor.follow;

import org.jspecify.annotations.NullMarked;
