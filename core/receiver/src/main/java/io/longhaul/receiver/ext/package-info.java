// SPDX-License-Identifier: Apache-2.0
/**
 * The list of what single drafts and revisions need of a receiver, one line for each. Only the list knows the packages
 * below: a draft is deleted with its package and its line.
 */
@NullMarked
package io.longhaul.receiver.ext;

import org.jspecify.annotations.NullMarked;
