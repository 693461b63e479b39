// SPDX-License-Identifier: Apache-2.0
/** Messages in one array, which only one revision has. The package does not know what the messages ask for. */
@NullMarked
package io.longhaul.receiver.ext.batch;

import org.jspecify.annotations.NullMarked;
