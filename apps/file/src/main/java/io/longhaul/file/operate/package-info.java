// SPDX-License-Identifier: Apache-2.0
/**
 * What an operator orders of the schedules and triggers of a server. The package does not know how these call tools.
 */
@NullMarked
package io.longhaul.file.operate;

import org.jspecify.annotations.NullMarked;
