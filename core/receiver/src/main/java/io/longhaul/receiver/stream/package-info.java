// SPDX-License-Identifier: Apache-2.0
/** Delivery: what happens to tasks, on its way to the streams of clients. */
@NullMarked
package io.longhaul.receiver.stream;

import org.jspecify.annotations.NullMarked;
