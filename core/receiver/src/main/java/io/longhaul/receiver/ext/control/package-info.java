// SPDX-License-Identifier: Apache-2.0
/** Our own extension {@code io.longhaul/tasks}: lists with filters, histories, retries and purges. */
@NullMarked
package io.longhaul.receiver.ext.control;

import org.jspecify.annotations.NullMarked;
