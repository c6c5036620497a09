import org.apache.lucene.analysis.custom.CustomAnalyzer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.*;
import org.apache.lucene.store.*;

/** An index in memory: codecs, attributes and factories are found by names. */
public class Main {
    public static void main(String[] args) throws Exception {
        Directory directory = new ByteBuffersDirectory();
        Analyzer analyzer = CustomAnalyzer.builder().withTokenizer("standard").addTokenFilter("lowercase").addTokenFilter("porterStem").build();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
            for (String text : new String[] {"The quick brown foxes", "lazy dogs sleep"}) {
                Document document = new Document();
                document.add(new TextField("text", text, Field.Store.YES));
                document.add(new IntPoint("length", text.length()));
                writer.addDocument(document);
            }
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            for (ScoreDoc hit : searcher.search(new QueryParser("text", analyzer).parse("fox OR sleeping~1"), 5).scoreDocs) System.out.println(searcher.doc(hit.doc).get("text"));
            System.out.println(searcher.count(IntPoint.newRangeQuery("length", 10, 15)));
        }
    }
}
