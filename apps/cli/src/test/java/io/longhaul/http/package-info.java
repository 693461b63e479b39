// SPDX-License-Identifier: Apache-2.0
/** Servers over real HTTP, seen by clients of the old era. */
@NullMarked
package io.longhaul.http;

import org.jspecify.annotations.NullMarked;
