// SPDX-License-Identifier: Apache-2.0
/** Tasks as their requestors know them: names, views, output, and what can be asked of them. */
@NullMarked
package io.longhaul.receiver.task;

import org.jspecify.annotations.NullMarked;
