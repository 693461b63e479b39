// SPDX-License-Identifier: Apache-2.0
/** Results in parts, with the resume tokens of SEP-1003. */
@NullMarked
package io.longhaul.protocol.dialect.resume;

import org.jspecify.annotations.NullMarked;
