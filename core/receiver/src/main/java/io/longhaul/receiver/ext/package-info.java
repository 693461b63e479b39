// SPDX-License-Identifier: Apache-2.0
/** The list of what single drafts and revisions need of a receiver. */
@NullMarked
package io.longhaul.receiver.ext;

import org.jspecify.annotations.NullMarked;
