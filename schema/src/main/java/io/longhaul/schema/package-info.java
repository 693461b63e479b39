// SPDX-License-Identifier: Apache-2.0
/** JSON Schema 2020-12: what tools take and give, and what answers to questions must be. Nothing is ever fetched. */
@NullMarked
package io.longhaul.schema;

import org.jspecify.annotations.NullMarked;
