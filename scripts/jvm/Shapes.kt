import kotlin.reflect.full.memberProperties
import kotlin.reflect.full.primaryConstructor

/** A Kotlin program: data classes, sealed classes, lambdas, sequences, delegates, and reflection by metadata. */
sealed class Shape { abstract val name: String }
data class Circle(val radius: Int, override val name: String = "circle") : Shape()
data class Box(val width: Int, val height: Int, override val name: String = "box") : Shape()
object Nothingness : Shape() { override val name = "nothing" }
enum class Color { RED, GREEN { override fun mix() = "yellow" }; open fun mix(): String = name.toLowerCase() }

fun area(shape: Shape): Long = when (shape) {
    is Circle -> 3L * shape.radius * shape.radius
    is Box -> shape.width.toLong() * shape.height
    Nothingness -> 0
}

inline fun <reified T> count(all: List<Any>): Int = all.filterIsInstance<T>().size

class Counter { var hits by kotlin.properties.Delegates.observable(0) { _, old, new -> println("$old -> $new") }; val late by lazy { println("late"); hits * 2 } }

fun main(args: Array<String>) {
    val shapes = (1..20).map { if (it % 3 == 0) Circle(it) else Box(it, it + 1) } + Nothingness
    println(shapes.groupBy { it.name }.mapValues { (_, all) -> all.map(::area).sum() }.toSortedMap())
    println(generateSequence(1 to 1) { (a, b) -> b to a + b }.map { it.first }.takeWhile { it < 1000 }.toList())
    println(count<Circle>(shapes) to count<Box>(shapes))
    val (width, height) = shapes.filterIsInstance<Box>().first()
    println("$width x $height ${Box(3, 4).copy(height = 9)} ${Box(3, 4) == Box(3, 4)} ${Circle(2).hashCode()}")
    val counter = Counter(); counter.hits = 3; println(counter.late + counter.late)
    println(Color.values().joinToString { it.mix() } + Color.valueOf("RED").ordinal)
    println("the quick brown fox".split(" ").associateBy({ it.first() }, String::length))
    println(buildString { for (i in 10 downTo 1 step 3) append(i).append(' ') }.trim().replace(Regex("\\d+")) { "<${it.value}>" })
    for (type in listOf(Circle::class, Box::class)) {
        println(type.simpleName + type.primaryConstructor!!.parameters.map { it.name + ":" + it.type + if (it.isOptional) "?" else "" })
        println(type.memberProperties.map { it.name + ":" + it.returnType }.sorted() + listOf(type.isData, type.isSealed))
    }
    println(Shape::class.sealedSubclasses.map { it.simpleName }.sortedBy { it })
    println(Box::class.primaryConstructor!!.callBy(Box::class.primaryConstructor!!.parameters.take(2).associateWith { 7 }))
}
