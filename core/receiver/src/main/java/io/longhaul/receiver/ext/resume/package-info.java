// SPDX-License-Identifier: Apache-2.0
/**
 * Resume tokens of SEP-1003: answers part by part, under tokens that are signed here. The package does not know how a
 * token travels in a message, nor any other extension.
 */
@NullMarked
package io.longhaul.receiver.ext.resume;

import org.jspecify.annotations.NullMarked;
