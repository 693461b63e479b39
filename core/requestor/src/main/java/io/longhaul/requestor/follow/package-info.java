// SPDX-License-Identifier: Apache-2.0
/** Followers of tasks, one class for each way in which a generation lets a task be followed. */
@NullMarked
package io.longhaul.requestor.follow;

import org.jspecify.annotations.NullMarked;
