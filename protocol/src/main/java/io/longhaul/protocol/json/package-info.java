// SPDX-License-Identifier: Apache-2.0
/** Raw JSON and the strict reader of it. */
@NullMarked
package io.longhaul.protocol.json;

import org.jspecify.annotations.NullMarked;
