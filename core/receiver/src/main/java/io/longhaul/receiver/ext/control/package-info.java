// SPDX-License-Identifier: Apache-2.0
/**
 * Our own extension {@code io.longhaul/tasks}: lists with filters, histories, retries and purges. The package does not
 * know the wording of its methods, which is in the dialect, nor any other extension.
 */
@NullMarked
package io.longhaul.receiver.ext.control;

import org.jspecify.annotations.NullMarked;
