// SPDX-License-Identifier: Apache-2.0
/** Resume tokens of SEP-1003: answers part by part. */
@NullMarked
package io.longhaul.receiver.ext.resume;

import org.jspecify.annotations.NullMarked;
