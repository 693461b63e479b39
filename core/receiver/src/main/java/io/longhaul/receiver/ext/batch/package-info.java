// SPDX-License-Identifier: Apache-2.0
/** Messages in one array, which only one revision has. */
@NullMarked
package io.longhaul.receiver.ext.batch;

import org.jspecify.annotations.NullMarked;
