// SPDX-License-Identifier: Apache-2.0
/** Whole servers, and what they say to clients of every version, as files that can be read. */
@NullMarked
package io.longhaul.transcripts;

import org.jspecify.annotations.NullMarked;
