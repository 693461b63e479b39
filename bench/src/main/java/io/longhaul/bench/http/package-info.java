/**
 * What one HTTP request costs: the servers that are measured, each in a process of its own, the load generator in
 * another one, and the table of what was found.
 */
@NullMarked
package io.longhaul.bench.http;

import org.jspecify.annotations.NullMarked;
