// SPDX-License-Identifier: Apache-2.0
/**
 * A YAML file as a tree of values that know their places: {@code longhaul.schema.json} defines the fields,
 * {@code FileSchema} checks a file against it, and each mistake names its place and its remedy. The package does not
 * know what a field means.
 */
@NullMarked
package io.longhaul.file.tree;

import org.jspecify.annotations.NullMarked;
