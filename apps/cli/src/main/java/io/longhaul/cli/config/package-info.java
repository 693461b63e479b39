// SPDX-License-Identifier: Apache-2.0
/**
 * The file that names a server's tools: YAML in, checked values out. {@code longhaul.schema.json} defines the fields,
 * {@code FileSchema} checks a file against it, {@code ServerFileReader} reads the values, and each mistake names its
 * place and its remedy. The package serves nothing: what a field does is the matter of {@code serve}.
 */
@NullMarked
package io.longhaul.cli.config;

import org.jspecify.annotations.NullMarked;
